import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import classes from './bar-chart.module.css'

export interface Bar {
  /** Unix seconds at which it begins. */
  at: number
  count: number
  /** What it stands for and how many it counts, as a sentence: it is read and shown when one points at it. */
  said: string
  /** Under the bar, where there is one: not every bar needs it. */
  tick?: string
}

interface BarChartProps<Of extends Bar> {
  /** What is counted, unless the place around says so. */
  label?: string
  bars: Of[]
  /** Goes where what the bar counts is listed. */
  onChoose: (bar: Of) => void
  /** Pixels of the highest bar. */
  height?: number
}

/** Counts side by side, by the hour or the day. They are one stop of the tab key; the arrows go along them. */
export function BarChart<Of extends Bar>({ label, bars, onChoose, height = 42 }: BarChartProps<Of>) {
  const [at, setAt] = useState<number>()
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const stop = bars.some((bar) => bar.at === at) ? at : bars.at(-1)?.at
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll('button')]
    all[move(all.indexOf(document.activeElement as HTMLButtonElement), all.length)]?.focus()
  }
  return (
    <ul
      className={classes.chart}
      aria-label={label}
      style={{ '--pb-chart-height': `${height}px` } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      {bars.map((bar) => (
        <li key={bar.at} className={classes.place}>
          <button
            type="button"
            className={classes.bar}
            style={{ '--pb-share': bar.count / most } as CSSProperties}
            data-any={bar.count > 0 || undefined}
            aria-label={bar.said}
            title={bar.said}
            tabIndex={bar.at === stop ? 0 : -1}
            onFocus={() => setAt(bar.at)}
            onClick={() => onChoose(bar)}
          />
          {bar.tick && (
            <span className={classes.tick} aria-hidden>
              {bar.tick}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => Math.min(at + 1, count - 1),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}
