"""What an editor asks about rules, boxes and scenarios: plain values, without a protocol."""
