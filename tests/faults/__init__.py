"""Commands that are struck while they run: by signals, full disks, missing rights and odd clocks."""
