import type {
  AccountRow,
  AuditRow,
  AuthorizationCodeRow,
  ConsentFormRow,
  DeliveryAttemptRow,
  DeliveryBodyRow,
  DeliveryRow,
  GrantRow,
  GroupRow,
  InstallationEndingRow,
  InstallationRow,
  IntegrationIconRow,
  IntegrationRow,
  MemberEndingRow,
  MemberRow,
  PasswordLinkRow,
  RoleRow,
  SavedViewRow,
  SessionRow,
  SourceRow,
  TaskTypeRow,
  TokenFaultRow,
  TokenPairRow,
  UserRow,
} from './rows/account-rows.ts'
import type { AutomationRuleRow, AutomationRunRow } from './rows/automation-rows.ts'
import type {
  ChannelConnectionRow,
  ChannelRow,
  ChatBotRow,
  ChatIntentRow,
  ChatMessageRow,
  ChatReactionRow,
  ChatSenderRow,
  ChatTemplateReviewRow,
  ChatTemplateRow,
  CircuitRow,
  ConversationRow,
  TalkRow,
} from './rows/chat-rows.ts'
import type {
  CallNoticeRow,
  SegmentMemberRow,
  SegmentRow,
  SubscriptionRow,
  WidgetInstallationRow,
  WidgetRow,
} from './rows/family-rows.ts'
import type {
  FilePartRow,
  FileRow,
  FileUsageRow,
  FileVersionRow,
  UploadSessionRow,
} from './rows/file-rows.ts'
import type { SiteFormRow } from './rows/form-rows.ts'
import type { IncomingLeadRow } from './rows/incoming-rows.ts'
import type { JobRecordRow, JobRow } from './rows/job-rows.ts'
import type {
  AudienceMemberRow,
  AudienceRow,
  CallIdRow,
  CatalogRow,
  CustomerStatusRow,
  CustomFieldGroupRow,
  CustomFieldRow,
  EntityRow,
  EntityTagRow,
  EventKeyRow,
  EventRow,
  FieldKeyRow,
  FieldValuesRow,
  IdempotencyKeyRow,
  LinkRow,
  LossReasonRow,
  NoteRow,
  PipelineRow,
  SearchWordRow,
  ShortLinkRow,
  StatusRow,
  SurveyRow,
  TagErasureRow,
  TagRow,
  TaskRow,
  TransactionRow,
  ValueErasureRow,
  VisitorRow,
  VisitRow,
} from './rows/record-rows.ts'
import type { RetentionRunRow, RetentionSettingRow } from './rows/retention-rows.ts'
import type {
  WebhookAnnouncementRow,
  WebhookListenerRow,
  WebhookOrderRow,
  WebhookRow,
} from './rows/webhook-rows.ts'

/** The stored rows. Times are Unix seconds. */
export type * from './rows/account-rows.ts'
export type * from './rows/automation-rows.ts'
export type * from './rows/chat-rows.ts'
export type * from './rows/column-types.ts'
export type * from './rows/family-rows.ts'
export type * from './rows/file-rows.ts'
export type * from './rows/form-rows.ts'
export type * from './rows/incoming-rows.ts'
export type * from './rows/job-rows.ts'
export type * from './rows/record-rows.ts'
export type * from './rows/retention-rows.ts'
export type * from './rows/webhook-rows.ts'

export interface SettingRow {
  name: string
  value: string
}

export interface SequenceRow {
  name: string
  last: number
}

export interface MigrationRow {
  name: string
  applied_at: number
}

/** An applied migration with which the release before it works. */
export interface AdditiveMigrationRow {
  name: string
}

/** In an order in which a restore can insert the rows. */
export interface Tables {
  migrations: MigrationRow
  additive_migrations: AdditiveMigrationRow
  settings: SettingRow
  sequences: SequenceRow
  accounts: AccountRow
  users: UserRow
  groups: GroupRow
  roles: RoleRow
  members: MemberRow
  member_endings: MemberEndingRow
  task_types: TaskTypeRow
  saved_views: SavedViewRow
  sessions: SessionRow
  password_links: PasswordLinkRow
  audit_log: AuditRow
  integrations: IntegrationRow
  integration_icons: IntegrationIconRow
  installations: InstallationRow
  installation_endings: InstallationEndingRow
  authorization_codes: AuthorizationCodeRow
  grants: GrantRow
  token_pairs: TokenPairRow
  token_faults: TokenFaultRow
  consent_forms: ConsentFormRow
  sources: SourceRow
  pipelines: PipelineRow
  statuses: StatusRow
  loss_reasons: LossReasonRow
  customer_statuses: CustomerStatusRow
  catalogs: CatalogRow
  custom_fields: CustomFieldRow
  custom_field_groups: CustomFieldGroupRow
  entities: EntityRow
  search_words: SearchWordRow
  tags: TagRow
  entity_tags: EntityTagRow
  tag_erasures: TagErasureRow
  links: LinkRow
  incoming_leads: IncomingLeadRow
  site_forms: SiteFormRow
  field_values: FieldValuesRow
  field_keys: FieldKeyRow
  value_erasures: ValueErasureRow
  transactions: TransactionRow
  tasks: TaskRow
  notes: NoteRow
  call_ids: CallIdRow
  events: EventRow
  event_keys: EventKeyRow
  short_links: ShortLinkRow
  visitors: VisitorRow
  visits: VisitRow
  surveys: SurveyRow
  audiences: AudienceRow
  audience_members: AudienceMemberRow
  subscriptions: SubscriptionRow
  segments: SegmentRow
  segment_members: SegmentMemberRow
  call_notices: CallNoticeRow
  widgets: WidgetRow
  widget_installations: WidgetInstallationRow
  files: FileRow
  file_versions: FileVersionRow
  file_parts: FilePartRow
  upload_sessions: UploadSessionRow
  file_usage: FileUsageRow
  idempotency_keys: IdempotencyKeyRow
  channels: ChannelRow
  channel_connections: ChannelConnectionRow
  chat_senders: ChatSenderRow
  conversations: ConversationRow
  talks: TalkRow
  chat_messages: ChatMessageRow
  chat_reactions: ChatReactionRow
  chat_bots: ChatBotRow
  chat_intents: ChatIntentRow
  chat_templates: ChatTemplateRow
  chat_template_reviews: ChatTemplateReviewRow
  webhooks: WebhookRow
  webhook_orders: WebhookOrderRow
  webhook_announcements: WebhookAnnouncementRow
  webhook_listeners: WebhookListenerRow
  circuits: CircuitRow
  delivery_bodies: DeliveryBodyRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
  jobs: JobRow
  job_rows: JobRecordRow
  automation_rules: AutomationRuleRow
  automation_runs: AutomationRunRow
  retention_settings: RetentionSettingRow
  retention_runs: RetentionRunRow
}

/** Every table with data, in an order in which a restore can insert the rows. */
export const tables = [
  'settings',
  'accounts',
  'users',
  'groups',
  'roles',
  'members',
  'member_endings',
  'task_types',
  'saved_views',
  'sessions',
  'password_links',
  'audit_log',
  'integrations',
  'integration_icons',
  'installations',
  'installation_endings',
  'authorization_codes',
  'grants',
  'token_pairs',
  'token_faults',
  'consent_forms',
  'sources',
  'pipelines',
  'statuses',
  'loss_reasons',
  'customer_statuses',
  'catalogs',
  'custom_fields',
  'custom_field_groups',
  'entities',
  'incoming_leads',
  'site_forms',
  'search_words',
  'tags',
  'entity_tags',
  'tag_erasures',
  'links',
  'field_values',
  'field_keys',
  'value_erasures',
  'transactions',
  'tasks',
  'notes',
  'call_ids',
  'events',
  'event_keys',
  'short_links',
  'visitors',
  'visits',
  'surveys',
  'audiences',
  'audience_members',
  'subscriptions',
  'segments',
  'segment_members',
  'call_notices',
  'widgets',
  'widget_installations',
  'files',
  'file_versions',
  'file_parts',
  'upload_sessions',
  'file_usage',
  'idempotency_keys',
  'channels',
  'channel_connections',
  'chat_senders',
  'conversations',
  'talks',
  'chat_messages',
  'chat_reactions',
  'chat_bots',
  'chat_intents',
  'chat_templates',
  'chat_template_reviews',
  'webhooks',
  'webhook_orders',
  'webhook_announcements',
  'webhook_listeners',
  'circuits',
  'delivery_bodies',
  'deliveries',
  'delivery_attempts',
  'jobs',
  'job_rows',
  'automation_rules',
  'automation_runs',
  'retention_settings',
  'retention_runs',
] as const satisfies (keyof Tables)[]

/** Tables whose ids are numbers assigned by this server. */
export const counted = [
  'webhook_announcements',
  'accounts',
  'users',
  'groups',
  'roles',
  'sources',
  'deliveries',
  'pipelines',
  'statuses',
  'loss_reasons',
  'customer_statuses',
  'catalogs',
  'custom_fields',
  'entities',
  'tags',
  'transactions',
  'tasks',
  'notes',
  'audiences',
  'files',
  'upload_sessions',
  'talks',
  'chat_bots',
  'chat_intents',
  'chat_templates',
  'chat_template_reviews',
  'jobs',
  'saved_views',
  'webhooks',
  'delivery_bodies',
  'value_erasures',
  'segments',
  'automation_rules',
  'automation_runs',
  'site_forms',
  'widgets',
] as const satisfies (keyof Tables)[]
export type Counted = (typeof counted)[number]
