import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'
import { AlwaysNull } from '../../http/published.ts'
import { settingTypes } from './setting-types.ts'

const Setting = Type.Object({
  key: Type.String({
    pattern: '^[A-Za-z0-9_]{1,64}$',
    description: 'The member of `settings` with the value.',
  }),
  name: Type.String({ maxLength: 255 }),
  type: Type.Enum([...settingTypes]),
  is_required: Type.Boolean({ description: 'Whether an installation needs a value.' }),
})
export type Setting = Static<typeof Setting>

/** The description of a widget by the developers of its integration. */
export const Manifest = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z0-9_]{1,64}$', description: 'Unique on the server.' }),
    version: Type.String({ minLength: 1, maxLength: 32 }),
    settings_template: Type.Array(Setting, { maxItems: 50 }),
    is_lead_source: Type.Boolean({ default: false }),
    is_work_with_dp: Type.Boolean({ default: false }),
    is_crm_template: Type.Boolean({ default: false }),
    webhook_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_048,
        description: 'An http or https URL that rules of stages call (docs/wire/automation.md#widget).',
      }),
    ),
  },
  { title: 'WidgetManifest' },
)
export type Manifest = Static<typeof Manifest>

/** A widget that rules of stages can call. */
export const CallableWidget = Type.Object(
  { code: Type.String(), name: Type.String({ description: 'The name of its integration.' }) },
  { title: 'CallableWidget' },
)
export type CallableWidget = Static<typeof CallableWidget>

/** The settings of one account, by the keys of the template. */
export type Settings = Record<string, unknown>

/** A widget with the settings of an account, for its administrators. Passwords are left out. */
export const InstalledWidget = Type.Object(
  {
    code: Type.String(),
    version: Type.String(),
    settings_template: Type.Array(Setting),
    is_installed: Type.Boolean(),
    settings: Type.Unsafe<Settings>({ type: 'object', additionalProperties: true }),
  },
  { title: 'InstalledWidget' },
)
export type InstalledWidget = Static<typeof InstalledWidget>

const AS_DESCRIBED = 'As the developers of the widget describe it, without effect.'

export const Widget = Type.Object(
  {
    id: Type.Integer(),
    code: Type.String({ description: 'The name of the widget in requests.' }),
    version: Type.String(),
    rating: Type.String({ description: 'Always `0,0`: this server has no marketplace.' }),
    settings_template: Type.Array(Setting, { description: 'The settings that an account enters.' }),
    is_lead_source: Type.Boolean({ description: AS_DESCRIBED }),
    is_work_with_dp: Type.Boolean({ description: AS_DESCRIBED }),
    is_crm_template: Type.Boolean({ description: AS_DESCRIBED }),
    client_uuid: Type.Union([Type.String(), Type.Null()], {
      description: 'For the developers of the integration.',
    }),
    is_active_in_account: Type.Boolean({ description: 'The account has installed it.' }),
    pipeline_id: AlwaysNull,
    settings: Type.Optional(
      Type.Unsafe<Settings>({
        type: 'object',
        additionalProperties: true,
        description: 'For the token of the own integration, and after an installation.',
      }),
    ),
    _links: Self,
  },
  { title: 'Widget' },
)
export type Widget = Static<typeof Widget>
