import { type CSSProperties, memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListColumn } from './list-column.ts'
import classes from './virtual-list.module.css'

interface RowProps<Row extends { id: number }> {
  row: Row
  index: number
  start: number
  columns: ListColumn<Row>[]
  /** In two lines. */
  details: ((row: Row) => ReactNode) | undefined
  /** The keyboard is here: the one row of the list that Tab comes to. */
  isActive: boolean
  /** undefined: rows of this list cannot be chosen. */
  isChosen: boolean | undefined
  onActive: (index: number) => void
  onChoose: (index: number, isRange: boolean) => void
}

/** A row of a list; it is drawn again only when something of it is another. */
export const ListRow = memo(Row) as typeof Row

function Row<One extends { id: number }>(props: RowProps<One>) {
  const { row, index, start, columns, details, isActive, isChosen, onActive, onChoose } = props
  return (
    <tr
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

/** The whole cell takes the click; with Shift the rows between are chosen too. Keys come to it by the row. */
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

/** Has the place of a row that is on its way. */
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
