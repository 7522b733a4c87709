"""What an editor shows of a text: pages, signatures, colours, hints and results."""
