"""The strategies that come with the program; a new one needs its line here, in order.

A strategy in Python registers itself when it is imported, a compiled one here.

Of a compiled module the build that the processor can run is taken. Whoever imports
the other one by its name gets the same strategy, unregistered.
"""

import strategies.cautious
import strategies.dp
import strategies.ev
import strategies.lowest
import strategies.lowest_batch
import strategies.mc
import strategies.slips
from engine_ext.build import load
from strategies.registry import register

register("count.v1")(load("strategies.count").Count)
register("duck.v1")(load("strategies.duck").Duck)
register("random.v1")(load("strategies.random").Random)
