"""The rules as data and the compiled engine that plays them."""
