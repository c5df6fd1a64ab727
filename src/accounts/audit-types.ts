/** All audit actions, by the area of the account to which they belong. */
export const auditAreas = {
  account: ['account.added', 'account.changed', 'retention.changed', 'retention.started', 'retention.applied'],
  people: [
    'user.added',
    'user.changed',
    'user.activated',
    'user.deactivated',
    'user.removed',
    'user.password_link_made',
    'user.password_set',
    'group.added',
    'group.changed',
    'group.removed',
    'role.added',
    'role.changed',
    'role.removed',
  ],
  sign_ins: ['session.started', 'profile.changed', 'profile.password_changed'],
  integrations: [
    'integration.created',
    'integration.changed',
    'integration.installed',
    'integration.allowed',
    'integration.disabled',
    'integration.secret_shown',
    'integration.secret_regenerated',
    'long_lived_token.issued',
    'short_lived_token.issued',
    'tokens.revoked',
    'tokens.expired',
    'tokens.aged',
    'tokens.fault_armed',
    'refresh_token.reused',
    'code.replayed',
    'request.sent_again',
    'widget.described',
    'widget.installed',
    'widget.changed',
    'widget.uninstalled',
  ],
  webhooks: [
    'webhook.added',
    'webhook.changed',
    'webhook.removed',
    'webhook.disabled',
    'webhook.enabled',
    'webhook.secret_created',
    'webhook.secret_removed',
    'webhook.replayed',
    'delivery.sent_again',
  ],
  chats: [
    'channel.created',
    'channel.changed',
    'channel.deleted',
    'channel.connected',
    'channel.connection_changed',
    'channel.disconnected',
    'channel.secret_shown',
    'channel.secret_rotated',
    'channel.call_signed',
    'channel.stopped',
    'channel.resumed',
    'bot.changed',
    'intent.added',
    'intent.changed',
    'intent.removed',
    'template.added',
    'template.changed',
    'template.removed',
    'template.sent_for_review',
  ],
  pipelines: [
    'pipeline.added',
    'pipeline.changed',
    'pipeline.removed',
    'stage.added',
    'stage.changed',
    'stage.removed',
    'loss_reason.added',
    'loss_reason.changed',
    'loss_reason.removed',
    'customer_status.added',
    'customer_status.changed',
    'customer_status.removed',
    'automation.added',
    'automation.changed',
    'automation.removed',
  ],
  fields: [
    'field.added',
    'field.changed',
    'field.removed',
    'field_group.added',
    'field_group.changed',
    'field_group.removed',
  ],
  tags: ['tag.changed', 'tag.removed'],
  segments: ['segment.added', 'segment.changed', 'segment.removed'],
  lists: ['catalog.added', 'catalog.changed', 'catalog.removed'],
  marketing: [
    'audience.added',
    'audience.changed',
    'audience.removed',
    'form.added',
    'form.changed',
    'form.removed',
  ],
} as const satisfies Record<string, readonly `${string}.${string}`[]>

export type AuditArea = keyof typeof auditAreas
/** `subject.verb`, for example `integration.secret_shown`. */
export type AuditAction = (typeof auditAreas)[AuditArea][number]

/** Members that identify the subject of an entry. */
const subjectMembers = ['id', 'name', 'pipeline_id', 'entity_type', 'accounts'] as const
/** Other details of an entry. The application has a label for each. */
export const detailMembers = [
  'changed',
  'days',
  'deleted',
  'elements',
  'origin',
  'previous_until',
  'reason',
  'revoked',
] as const

export type AuditDetails = Partial<
  Record<(typeof subjectMembers)[number] | (typeof detailMembers)[number], unknown>
>

export const areaNames = Object.keys(auditAreas) as AuditArea[]
