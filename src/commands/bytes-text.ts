const units: [unit: string, bytes: number][] = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
]

/** A number of bytes for people, such as `1.5 GiB`. */
export function bytesText(bytes: number): string {
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ['B', 1]
  return `${(bytes / size).toFixed(unit === 'B' ? 0 : 1)} ${unit}`
}
