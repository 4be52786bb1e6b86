"""The rules as data: variant files, what they may say, and what follows from them.

``spec`` is the schema, ``load`` reads files, ``resolve`` gives the engine's numbers,
``totals`` adds up and ``show`` explains. Nothing is imported here, so that the schema can
be had without the rest.
"""
