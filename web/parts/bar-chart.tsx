import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import classes from './bar-chart.module.css'

export interface Bar {
  /** The start of the bar, in Unix seconds. */
  at: number
  count: number
  /** The accessible name and tooltip: the period and the count. */
  label: string
  /** The label below the bar; not every bar needs one. */
  tick?: string
}

interface BarChartProps<Of extends Bar> {
  /** The accessible name of the chart. */
  label?: string
  bars: Of[]
  /** Called with the bar that the person clicks. */
  onChoose: (bar: Of) => void
  /** The height of the tallest bar in pixels. */
  height?: number
}

/** A bar chart over time. Tab reaches the chart once; arrow keys move between bars. */
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
            aria-label={bar.label}
            title={bar.label}
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
