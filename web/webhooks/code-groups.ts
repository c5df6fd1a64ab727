import { type WebhookCode, webhookCodeNames } from '../../src/webhooks/webhook-types.ts'

/** The part of a code that names what changed: `lead` of `status_lead`. */
type Kind<Code> = Code extends `${string}_${infer Rest}` ? Rest : never

/** The groups of the form, by what changed. */
const groupOfKind = {
  lead: 'leads',
  contact: 'contacts',
  company: 'companies',
  customer: 'customers',
  task: 'tasks',
  catalog_element: 'elements',
  unsorted: 'leads',
  talk: 'chats',
  message: 'chats',
  outgoing_message: 'chats',
  chat_template_review: 'chats',
} as const satisfies Record<Kind<WebhookCode>, string>

export type CodeGroup = (typeof groupOfKind)[Kind<WebhookCode>]

const kindOf = (code: WebhookCode) => code.slice(code.indexOf('_') + 1) as Kind<WebhookCode>

/** The codes in groups, in the order of the form. */
export const codeGroups: ReadonlyMap<CodeGroup, WebhookCode[]> = Map.groupBy(
  webhookCodeNames,
  (code) => groupOfKind[kindOf(code)],
)

/** The known codes among these, in the order of the form. */
export const orderedCodes = (settings: readonly string[]): WebhookCode[] =>
  webhookCodeNames.filter((code) => settings.includes(code))
