import type { ReactNode } from 'react'

export interface ListColumn<Row> {
  name: string
  title: string
  /** `tabIndex` is for what stands in it: Tab comes to one row of the list only. */
  cell: (row: Row, tabIndex: 0 | -1) => ReactNode
  /** The least width in pixels, and its share of what is left. */
  width: number
  share?: number
  /** Numbers stand at the right. */
  isNumber?: boolean
  /** What the API calls the order by this column; and in which direction one asks for it first. */
  order?: string
  orderFirst?: 'asc' | 'desc'
}

export interface Order {
  name: string
  direction: 'asc' | 'desc'
}

/** Heights of rows, as virtual-list.module.css draws them; two lines on a telephone. */
export const ROW = 36
export const TALL_ROW = 58
