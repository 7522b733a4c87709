"""Tables of declarations: columns, and the declarations that they stand for."""
