import type { ReactNode } from 'react'

export interface ListColumn<Row> {
  name: string
  title: string
  /** `tabIndex` is for controls in the cell: Tab reaches only one row of the list. */
  cell: (row: Row, tabIndex: 0 | -1) => ReactNode
  /** The minimum width in pixels, and the share of the remaining space. */
  width: number
  share?: number
  /** Aligned right. */
  isNumber?: boolean
  /** The order parameter of the API, and its initial direction. */
  order?: string
  orderFirst?: 'asc' | 'desc'
}

export interface Order {
  name: string
  direction: 'asc' | 'desc'
}

/** Row heights, as in virtual-list.module.css; two lines on phones. */
export const ROW = 36
export const TALL_ROW = 58
