/** `read` of `schemac/runtime`: what generated command decoders are made of. */
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
export { bigint, boolean, date, decimal, double, int, json, text, timestamp, uuid, varchar } from './reader.ts';
