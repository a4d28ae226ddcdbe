/** A measured value and the bound that it is to keep. */
export interface LongFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly at: 'most' | 'least';
  readonly goal: number;
  /** What else was seen. */
  readonly beside?: string;
}

export function kept({ value, at, goal }: LongFigure): boolean {
  return at === 'most' ? value <= goal : value >= goal;
}
