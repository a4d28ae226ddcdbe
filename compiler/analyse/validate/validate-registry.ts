export function validateRegistry(_catalog: object): readonly { severity: string; code: string; block: string; message: string }[] {
  return [];
}
