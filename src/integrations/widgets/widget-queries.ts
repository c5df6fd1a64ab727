import type { Db, Tx } from '../../db/database.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { WidgetInstallationRow, WidgetRow } from '../../db/tables.ts'

/** The widgets of the integrations that are active in an account, with the settings if a widget is installed. */
export function availableWidgets(db: Db, account_id: number) {
  return db
    .selectFrom('installations')
    .innerJoin('integrations', 'integrations.id', 'installations.integration_id')
    .innerJoin('widgets', 'widgets.integration_id', 'integrations.id')
    .leftJoin('widget_installations', (join) =>
      join
        .on('widget_installations.account_id', '=', account_id)
        .onRef('widget_installations.widget_id', '=', 'widgets.id'),
    )
    .where('installations.account_id', '=', account_id)
    .where('installations.is_active', '=', 1)
    .selectAll('widgets')
    .select(['integrations.name', 'integrations.account_id as developer_id', 'widget_installations.settings'])
    .orderBy('widgets.id')
    .execute()
}
export type AvailableWidget = Awaited<ReturnType<typeof availableWidgets>>[number]

export function findWidget(db: Db, integration_id: string): Promise<WidgetRow | undefined> {
  return db.selectFrom('widgets').selectAll().where('integration_id', '=', integration_id).executeTakeFirst()
}

export const replaceWidget = (tx: Tx, row: WidgetRow): Promise<void> =>
  replaceRows(tx, 'widgets', ['id'], [row])

export const replaceWidgetInstallation = (tx: Tx, row: WidgetInstallationRow): Promise<void> =>
  replaceRows(tx, 'widget_installations', ['account_id', 'widget_id'], [row])

export const deleteWidgetInstallation = (tx: Tx, account_id: number, widget_id: number): Promise<void> =>
  deleteRows(tx, 'widget_installations', [{ account_id, widget_id }])
