/** A measured value and its limit. */
export interface LongFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly at: 'most' | 'least';
  readonly goal: number;
  /** Other measurements. */
  readonly beside?: string;
}

export function kept({ value, at, goal }: LongFigure): boolean {
  return at === 'most' ? value <= goal : value >= goal;
}
