"""Custom resources: what Prometheus' operator and KEDA understand, as JSON schemas without room for more.

The schemas come from the published models of cloudcoil (Apache-2.0), which are made from the definitions of
the operators' releases; the models would let an unknown field pass.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import jsonschema
from cloudcoil.models.keda.v1alpha1 import ScaledObject
from cloudcoil.models.prometheus_operator.v1 import PrometheusRule, ServiceMonitor

from tests.deploy.manifests import Object

_MODELS: Final = {model.__name__: model for model in (PrometheusRule, ScaledObject, ServiceMonitor)}
KINDS: Final = frozenset(_MODELS)
"""Of objects that Kubernetes itself has no schema of."""


def check(custom: Object) -> None:
    """jsonschema.ValidationError for what its operator would not take."""
    model = _MODELS[custom["kind"]]
    assert custom["apiVersion"] == model.gvk().api_version
    jsonschema.validate(custom, _schema(custom["kind"]))


@cache
def _schema(kind: str) -> Object:
    schema: Object = _MODELS[kind].model_json_schema(by_alias=True)
    _closed(schema)
    return schema


def _closed(part: Any) -> None:
    """Refuse whatever a description of fields does not name."""
    if isinstance(part, dict):
        if "properties" in part:
            part.setdefault("additionalProperties", False)
        if isinstance(pattern := part.get("pattern"), str) and pattern.startswith("^(?i)"):
            part["pattern"] = f"(?i)^{pattern.removeprefix('^(?i)')}"  # where Python wants its flags
        for each in part.values():
            _closed(each)
    elif isinstance(part, list):
        for each in part:
            _closed(each)
