/** `read` of `schemac/runtime`: the functions that generated command decoders call. */
export {
  defaulted,
  defaultedSecret,
  onlyKnown,
  optional,
  optionalSecret,
  required,
  requiredSecret,
  streamKey,
} from './arguments.ts';
export {
  bigint,
  boolean,
  date,
  decimal,
  double,
  enumeration,
  int,
  json,
  text,
  timestamp,
  uuid,
  varchar,
} from './reader.ts';
