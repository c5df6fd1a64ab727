/**
 * The changes to which a webhook can subscribe (docs/wire/webhooks.md#codes). `key` and `action` are where the changed
 * items stand in the body.
 */
interface WebhookKind {
  key: string
  action: string
}

const codesOf = <Names extends string, Key extends string>(key: Key, names: Record<Names, string>) =>
  Object.fromEntries(Object.entries(names).map(([code, action]) => [code, { key, action }])) as Record<
    Names,
    { key: Key; action: string }
  >

/** The settings of a webhook, in the order in which the application lists them. */
export const webhookCodes = {
  ...codesOf('leads', {
    add_lead: 'add',
    update_lead: 'update',
    status_lead: 'status',
    responsible_lead: 'responsible',
    delete_lead: 'delete',
    restore_lead: 'restore',
    note_lead: 'note',
  }),
  // A change of the responsible user is an update of these kinds.
  ...codesOf('contacts', {
    add_contact: 'add',
    update_contact: 'update',
    responsible_contact: 'update',
    delete_contact: 'delete',
    restore_contact: 'restore',
    note_contact: 'note',
    add_company: 'add',
    update_company: 'update',
    responsible_company: 'update',
    delete_company: 'delete',
    restore_company: 'restore',
    note_company: 'note',
  }),
  ...codesOf('customers', {
    add_customer: 'add',
    update_customer: 'update',
    responsible_customer: 'responsible',
    delete_customer: 'delete',
    note_customer: 'note',
  }),
  ...codesOf('task', {
    add_task: 'add',
    update_task: 'update',
    responsible_task: 'update',
    delete_task: 'delete',
  }),
  ...codesOf('catalogs', {
    add_catalog_element: 'add',
    update_catalog_element: 'update',
    delete_catalog_element: 'delete',
  }),
  ...codesOf('unsorted', { add_unsorted: 'add', update_unsorted: 'update', delete_unsorted: 'delete' }),
  ...codesOf('talk', { add_talk: 'add', update_talk: 'update' }),
  ...codesOf('message', { add_message: 'add' }),
  ...codesOf('outgoing_message', { add_outgoing_message: 'add' }),
  ...codesOf('chat_template_review', { add_chat_template_review: 'add' }),
} satisfies Record<string, WebhookKind>

export type WebhookCode = keyof typeof webhookCodes
/** The name of a kind of record in the body. */
export type WebhookKey = (typeof webhookCodes)[WebhookCode]['key']

export const webhookCodeNames = Object.keys(webhookCodes) as WebhookCode[]
