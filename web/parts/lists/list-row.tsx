import { type CSSProperties, memo, type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusNear } from '../dialogs/use-opener-focus.ts'
import type { ListColumn } from './list-column.ts'
import classes from './virtual-list.module.css'

interface RowProps<Row extends { id: number }> {
  row: Row
  index: number
  start: number
  columns: ListColumn<Row>[]
  /** Set if rows have two lines. */
  details: ((row: Row) => ReactNode) | undefined
  /** The row that Tab reaches. */
  isActive: boolean
  /** undefined if rows of this list cannot be selected. */
  isChosen: boolean | undefined
  onActive: (index: number) => void
  onChoose: (index: number, isRange: boolean) => void
}

/** A row of a list, memoized. */
export const ListRow = memo(Row) as typeof Row

function Row<One extends { id: number }>(props: RowProps<One>) {
  const { row, index, start, columns, details, isActive, isChosen, onActive, onChoose } = props
  const ref = useRef<HTMLTableRowElement>(null)
  useFocusNear(ref)
  return (
    <tr
      ref={ref}
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      data-index={index}
      data-active={isActive || undefined}
      className={classes.row}
      style={{ '--pb-start': `${start}px` } as CSSProperties}
      onFocus={() => onActive(index)}
    >
      <td className={classes.choice}>
        {isChosen !== undefined && (
          <Choice isChosen={isChosen} onChoose={(range) => onChoose(index, range)} />
        )}
      </td>
      {(details ? columns.slice(0, 1) : columns).map((column) => (
        <td key={column.name} className={classes.cell} data-number={column.isNumber || undefined}>
          {column.cell(row, isActive ? 0 : -1)}
        </td>
      ))}
      {details && <td className={classes.details}>{details(row)}</td>}
    </tr>
  )
}

/** The whole cell is clickable; Shift also selects the rows between. The row handles keys. */
function Choice({ isChosen, onChoose }: { isChosen: boolean; onChoose: (isRange: boolean) => void }) {
  const { t } = useTranslation()
  return (
    <label className={classes.pick}>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isChosen}
        aria-label={t('list.choose')}
        onChange={({ nativeEvent }) => onChoose((nativeEvent as MouseEvent).shiftKey === true)}
      />
    </label>
  )
}

/** A placeholder of a row that is loading. */
export function WaitingRow({ index, start }: { index: number; start: number }) {
  const { t } = useTranslation()
  return (
    <tr
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ '--pb-start': `${start}px` } as CSSProperties}
    >
      <td className={classes.choice} />
      <td className={classes.cell}>
        <span className={classes.bone} role="img" aria-label={t('app.loading')} />
      </td>
    </tr>
  )
}
