"""What is unsafe about a configuration: the one list of rules, for the start of services and for the doctor.

`names` lists the risks, `settings` judges what a service is told, `facts` and `servers` what its servers say
of themselves, `start` refuses or warns. Not here: texts for operators (the doctor's are in the command).
"""

from __future__ import annotations
