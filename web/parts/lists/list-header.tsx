import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ListColumn, Order } from './list-column.ts'
import type { Selection } from './selection.ts'
import classes from './virtual-list.module.css'

interface HeaderProps<Row> {
  columns: ListColumn<Row>[]
  selection?: Selection
  order?: Order
  onOrder?: (order: Order) => void
  isNarrow: boolean
}

/** The sticky header row. Titles of sortable columns are buttons. */
export function ListHeader<Row>({ columns, selection, order, onOrder, isNarrow }: HeaderProps<Row>) {
  const { t } = useTranslation()
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1} className={classes.header}>
        <th scope="col" className={classes.choice}>
          {selection ? (
            <ChooseAll selection={selection} />
          ) : (
            <VisuallyHidden>{t('list.chosen')}</VisuallyHidden>
          )}
        </th>
        {(isNarrow ? columns.slice(0, 1) : columns).map((column) => (
          <th
            key={column.name}
            scope="col"
            className={classes.heading}
            data-number={column.isNumber || undefined}
            aria-sort={sortOf(column, order)}
          >
            {column.order && onOrder ? (
              <SortButton column={column} order={order} onOrder={onOrder} />
            ) : (
              <span className={classes.title} title={column.title}>
                {column.title}
              </span>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

const sortOf = <Row,>(column: ListColumn<Row>, order: Order | undefined) => {
  if (column.order === undefined || column.order !== order?.name) return undefined
  return order.direction === 'asc' ? 'ascending' : 'descending'
}

interface SortProps<Row> {
  column: ListColumn<Row>
  order: Order | undefined
  onOrder: (order: Order) => void
}

function SortButton<Row>({ column, order, onOrder }: SortProps<Row>) {
  const { order: name = '', orderFirst = 'asc', title } = column
  const isOn = order?.name === name
  const other = order?.direction === 'asc' ? 'desc' : 'asc'
  const Arrow = order?.direction === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button
      type="button"
      className={classes.sort}
      title={title}
      onClick={() => onOrder({ name, direction: isOn ? other : orderFirst })}
    >
      <span className={classes.title}>{title}</span>
      {isOn && <Arrow size={13} stroke={2} aria-hidden />}
    </button>
  )
}

/** The checkbox that selects all records of the list, including those not loaded. */
function ChooseAll({ selection }: { selection: Selection }) {
  const { t } = useTranslation()
  return (
    <Checkbox
      size="xs"
      checked={selection.isAll}
      indeterminate={!selection.isAll && selection.count > 0}
      onChange={() => (selection.isAll ? selection.clear() : selection.chooseAll())}
      aria-label={t('list.choose_all')}
    />
  )
}
