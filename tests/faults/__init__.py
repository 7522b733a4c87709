"""Commands that are struck while they run: by signals, full disks, no rights, odd clocks."""
