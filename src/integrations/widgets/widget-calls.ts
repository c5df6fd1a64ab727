import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { type AvailableWidget, availableWidgets } from './widget-queries.ts'
import type { CallableWidget, Manifest, Settings } from './widget-schemas.ts'
import { opened } from './widgets.ts'

/** The widgets that rules can call: those that the account has installed and that have a `webhook_url`. */
export async function callableWidgets(db: Db, account_id: number): Promise<CallableWidget[]> {
  return (await callable(db, account_id)).map(({ row: { code, name } }) => ({ code, name }))
}

/** The address of a widget that rules can call, and the settings of the account with their passwords. */
export interface WidgetCall {
  url: string
  integration_id: string
  settings: Settings
}

/** Undefined if the widget cannot be called: it was uninstalled, or has no `webhook_url`. */
export async function findWidgetCall(
  ctx: Context,
  db: Db,
  account_id: number,
  code: string,
): Promise<WidgetCall | undefined> {
  const found = (await callable(db, account_id)).find(({ row }) => row.code === code)
  if (!found) return undefined
  const { integration_id } = found.row
  return { url: found.url, integration_id, settings: opened(ctx, account_id, found.row).settings ?? {} }
}

async function callable(db: Db, account_id: number): Promise<{ row: AvailableWidget; url: string }[]> {
  const rows = await availableWidgets(db, account_id)
  return rows.flatMap((row) => {
    const { webhook_url } = JSON.parse(row.manifest) as Manifest
    return row.settings && webhook_url !== undefined ? [{ row, url: webhook_url }] : []
  })
}
