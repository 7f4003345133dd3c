/**
 * Error texts for the bytes of a message, as the reference's runtime prints them.
 * @source protobuf-java: InvalidProtocolBufferException; scalapb: scalapb/UnknownFieldSet.scala
 */
export const protobufErrors = {
  truncated:
    "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either that the input has been truncated or that an embedded message misreported its own length.",
  negativeSize: "CodedInputStream encountered an embedded string or message which claimed to have negative size.",
  malformedVarint: "CodedInputStream encountered a malformed varint.",
  invalidTag: "Protocol message contained an invalid tag (zero).",
  invalidWireType: "Protocol message tag had invalid wire type",
  invalidUtf8: "Protocol message had invalid UTF-8.",
} as const;
