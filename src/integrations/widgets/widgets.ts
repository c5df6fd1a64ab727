import { type Actor, auditAs, findMembers, lockAccount, requireAdmin } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { nextId } from '../../db/dialect.ts'
import { isUniqueViolation } from '../../db/failures.ts'
import { sealStored } from '../../db/master-key.ts'
import { invalid, Refusal } from '../../errors.ts'
import { requireUrl } from '../../webhooks/webhooks.ts'
import { ownIntegration } from '../registry/own-integration.ts'
import { settingsPlace } from '../registry/sealed-queries.ts'
import {
  type AvailableWidget,
  availableWidgets,
  deleteWidgetInstallation,
  findWidget,
  replaceWidget,
  replaceWidgetInstallation,
} from './widget-queries.ts'
import type { InstalledWidget, Manifest, Settings } from './widget-schemas.ts'
import { readSettings, withoutPasswords } from './widget-settings.ts'

/** A widget with its manifest and the settings of the account; null if the account has not installed it. */
export interface WidgetOfAccount extends Omit<AvailableWidget, 'manifest' | 'settings'> {
  manifest: Manifest
  settings: Settings | null
}

/** The widgets that the account can install: those of its active integrations. */
export async function listWidgets(ctx: Context, { account_id }: Actor): Promise<WidgetOfAccount[]> {
  const rows = await availableWidgets(ctx.db, account_id)
  return rows.map((row) => opened(ctx, account_id, row))
}

export async function readWidget(ctx: Context, actor: Actor, code: string): Promise<WidgetOfAccount> {
  return pick(await listWidgets(ctx, actor), code)
}

/** The widget of an active integration with the settings of the account, for administrators; null if it has none. */
export async function readInstalled(
  ctx: Context,
  actor: Actor,
  integration_id: string,
): Promise<InstalledWidget | null> {
  requireAdmin(actor)
  const widgets = await listWidgets(ctx, actor)
  const widget = widgets.find((one) => one.integration_id === integration_id)
  if (!widget) return null
  const { code, manifest, settings } = widget
  const { version, settings_template } = manifest
  return {
    code,
    version,
    settings_template,
    is_installed: settings !== null,
    settings: withoutPasswords(settings_template, settings ?? {}),
  }
}

/** Installs a widget or changes its settings, for administrators. Omitted settings keep their values. */
export async function installWidget(
  ctx: Context,
  actor: Actor,
  code: string,
  written: Settings,
): Promise<WidgetOfAccount> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const { account_id, user_id } = actor
    await lockAccount(tx, account_id)
    const rows = await availableWidgets(tx, account_id)
    const widget = pick(
      rows.map((row) => opened(ctx, account_id, row)),
      code,
    )
    const members = await findMembers(tx, account_id)
    const settings = readSettings(widget.manifest.settings_template, widget.settings ?? {}, written, members)
    const now = ctx.now()
    await replaceWidgetInstallation(tx, {
      account_id,
      widget_id: widget.id,
      settings: await sealStored(
        tx,
        ctx.vault,
        settingsPlace(account_id, widget.id),
        JSON.stringify(settings),
      ),
      installed_by: user_id,
      installed_at: now,
      updated_at: now,
    })
    const action = widget.settings ? 'widget.changed' : 'widget.installed'
    await auditAs(ctx, tx, actor, action, { id: widget.id, name: code })
  })
  return readWidget(ctx, actor, code)
}

/** Uninstalls a widget and deletes its settings, for administrators. */
export async function uninstallWidget(ctx: Context, actor: Actor, code: string): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const { account_id } = actor
    await lockAccount(tx, account_id)
    const rows = await availableWidgets(tx, account_id)
    const widget = rows.find((row) => row.code === code)
    if (!widget?.settings) throw notFound()
    await deleteWidgetInstallation(tx, account_id, widget.id)
    await auditAs(ctx, tx, actor, 'widget.uninstalled', { id: widget.id, name: code })
  })
}

/** The manifest of the widget of an own integration; null if it has none. For administrators. */
export async function readManifest(ctx: Context, actor: Actor, id: string): Promise<Manifest | null> {
  await ownIntegration(ctx, actor, id)
  const widget = await findWidget(ctx.db, id)
  return widget ? JSON.parse(widget.manifest) : null
}

/** Describes the widget of an own integration, for administrators. Installed settings are kept. */
export async function writeManifest(
  ctx: Context,
  actor: Actor,
  id: string,
  manifest: Manifest,
): Promise<Manifest> {
  await ownIntegration(ctx, actor, id)
  const keys = manifest.settings_template.map(({ key }) => key)
  const twice = keys.findIndex((key, i) => keys.indexOf(key) !== i)
  if (twice >= 0)
    throw invalid(`settings_template.${twice}.key`, 'NotUnique', 'Another setting has this key.')
  if (manifest.webhook_url !== undefined) requireUrl(manifest.webhook_url, { path: 'webhook_url' })
  try {
    await ctx.db.transaction().execute(async (tx) => {
      await lockAccount(tx, actor.account_id)
      const before = await findWidget(tx, id)
      const now = ctx.now()
      await replaceWidget(tx, {
        id: before?.id ?? (await nextId(tx, 'widgets')),
        integration_id: id,
        code: manifest.code,
        manifest: JSON.stringify(manifest),
        created_at: before?.created_at ?? now,
        updated_at: now,
      })
      await auditAs(ctx, tx, actor, 'widget.described', { id, name: manifest.code })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw invalid('code', 'NotUnique', 'Another widget has this code.')
    throw error
  }
  return manifest
}

/** A widget with its manifest, and with its settings unsealed. */
export function opened(ctx: Context, account_id: number, row: AvailableWidget): WidgetOfAccount {
  const settings = row.settings && ctx.vault.unseal(settingsPlace(account_id, row.id), row.settings)
  return {
    ...row,
    manifest: JSON.parse(row.manifest) as Manifest,
    settings: settings ? (JSON.parse(settings) as Settings) : null,
  }
}

function pick(widgets: WidgetOfAccount[], code: string): WidgetOfAccount {
  const found = widgets.find((widget) => widget.code === code)
  if (!found) throw notFound()
  return found
}

const notFound = () => new Refusal('not_found', 'Widget not found in this account.')
