/** The last `seq` of streams while a log is read. Two levels of maps: a combined key would have to be made for each event. */
export interface StreamHeads {
  /** 0 for a stream without events. */
  readonly get: (streamType: string, streamId: string) => number;
  readonly set: (streamType: string, streamId: string, seq: number) => void;
}

export function createStreamHeads(): StreamHeads {
  const types = new Map<string, Map<string, number>>();
  return {
    get: (streamType, streamId) => types.get(streamType)?.get(streamId) ?? 0,
    set: (streamType, streamId, seq) => {
      let streams = types.get(streamType);
      if (streams === undefined) types.set(streamType, (streams = new Map<string, number>()));
      streams.set(streamId, seq);
    },
  };
}
