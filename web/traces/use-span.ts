import { useLocale } from '../parts/texts/region.ts'

const units: [name: 'day' | 'hour' | 'minute' | 'second', ms: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
]

/** Returns a span of time in words: `12 ms`, `1.5 sec`. Spans since the beginning of a trace have a sign. */
export function useSpan() {
  const locale = useLocale()
  return (ms: number, isSince = false): string => {
    const [unit, size] = units.find(([, length]) => Math.abs(ms) >= length) ?? (['millisecond', 1] as const)
    const style = { style: 'unit', unit, unitDisplay: 'short' } as const
    const signDisplay = isSince ? 'exceptZero' : 'auto'
    return new Intl.NumberFormat(locale, { ...style, signDisplay, maximumFractionDigits: 1 }).format(
      ms / size,
    )
  }
}
