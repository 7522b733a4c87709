"""What `kbrules show` shows of files and rules, and how pictures are written."""
