"""Payloads of Sparkplug B with Google's protobuf, from the message of the specification (Sparkplug 3.0 section 6.4)."""

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields

FIELD = descriptor_pb2.FieldDescriptorProto
TYPES = {
    "uint32": FIELD.TYPE_UINT32, "uint64": FIELD.TYPE_UINT64, "bool": FIELD.TYPE_BOOL, "string": FIELD.TYPE_STRING,
    "bytes": FIELD.TYPE_BYTES, "float": FIELD.TYPE_FLOAT, "double": FIELD.TYPE_DOUBLE,
}
# Field numbers by name; templates, data sets and metadata are left out.
MESSAGES = {
    "PropertyValue": [
        ("type", "uint32", 1), ("is_null", "bool", 2), ("int_value", "uint32", 3), ("long_value", "uint64", 4),
        ("float_value", "float", 5), ("double_value", "double", 6), ("boolean_value", "bool", 7), ("string_value", "string", 8),
    ],
    "PropertySet": [("keys", "string*", 1), ("values", "PropertyValue*", 2)],
    "Metric": [
        ("name", "string", 1), ("alias", "uint64", 2), ("timestamp", "uint64", 3), ("datatype", "uint32", 4),
        ("is_historical", "bool", 5), ("is_transient", "bool", 6), ("is_null", "bool", 7), ("properties", "PropertySet", 9),
        ("int_value", "uint32", 10), ("long_value", "uint64", 11), ("float_value", "float", 12), ("double_value", "double", 13),
        ("boolean_value", "bool", 14), ("string_value", "string", 15), ("bytes_value", "bytes", 16),
    ],
    "Payload": [
        ("timestamp", "uint64", 1), ("metrics", "Metric*", 2), ("seq", "uint64", 3), ("uuid", "string", 4), ("body", "bytes", 5),
    ],
}
VALUES = {4: "long_value", 10: "double_value", 11: "boolean_value", 12: "string_value", 17: "bytes_value"}


def payload_class():
    file = descriptor_pb2.FileDescriptorProto(name="sparkplug_b.proto", package="sparkplug", syntax="proto2")
    for name, fields in MESSAGES.items():
        message = file.message_type.add(name=name)
        for field, kind, number in fields:
            one = message.field.add(name=field, number=number)
            one.label = FIELD.LABEL_REPEATED if kind.endswith("*") else FIELD.LABEL_OPTIONAL
            kind = kind.rstrip("*")
            if kind in TYPES:
                one.type = TYPES[kind]
            else:
                one.type, one.type_name = FIELD.TYPE_MESSAGE, f".sparkplug.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("sparkplug.Payload"))


Payload = payload_class()


class Message:
    """A message of an edge node, with its payload."""

    def __init__(self, topic, octets):
        namespace, self.group, self.type, self.node, *device = topic.split("/")
        assert namespace == "spBv1.0" and len(device) == (1 if self.type.startswith("D") else 0), topic
        self.device = device[0] if device else None
        self.payload = Payload.FromString(octets)
        assert not len(unknown_fields.UnknownFieldSet(self.payload))

    @property
    def seq(self):
        return self.payload.seq if self.payload.HasField("seq") else None

    @property
    def metrics(self):
        return {metric.name: metric for metric in self.payload.metrics}

    def value(self, name):
        return value(self.metrics[name])


def value(metric):
    field = VALUES[metric.datatype]
    assert metric.HasField(field), metric
    return getattr(metric, field)


def properties(metric):
    """The properties that are texts and numbers."""
    assert len(metric.properties.keys) == len(metric.properties.values)
    fields = {8: "long_value", 12: "string_value"}
    return {key: getattr(one, fields[one.type]) for key, one in zip(metric.properties.keys, metric.properties.values)}


def rebirth():
    """The request of a host to an edge node that it does not know."""
    payload = Payload(timestamp=1)
    payload.metrics.add(name="Node Control/Rebirth", timestamp=1, datatype=11, boolean_value=True)
    return payload.SerializeToString()
