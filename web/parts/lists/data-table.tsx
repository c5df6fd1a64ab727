import { VisuallyHidden } from '@mantine/core'
import type { Key, ReactNode } from 'react'
import classes from './data-table.module.css'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Narrow screens hide `wide` columns first, then `medium` ones. */
  showFrom?: 'wide' | 'medium'
  /** As narrow as its content; by default only the first column is. */
  narrow?: boolean
  /** Truncates to one line. */
  clip?: boolean
  /** The column of buttons: its title is only for screen readers, and its cells are aligned right. */
  actions?: boolean
}

export interface DataTableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row) => Key
}

/** A table of records. A link with `data-row-link` makes its whole row clickable. */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  const className = ({ showFrom, actions, clip, narrow }: Column<Row>) =>
    [showFrom && classes[showFrom], actions && classes.end, clip && classes.clip, narrow && classes.narrow]
      .filter(Boolean)
      .join(' ') || undefined
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" className={className(column)}>
              {column.actions ? <VisuallyHidden>{column.title}</VisuallyHidden> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.title} className={className(column)}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
