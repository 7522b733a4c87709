"""What grows with the work of an author: time as the work does, and memory no faster."""
