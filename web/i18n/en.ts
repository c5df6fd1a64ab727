import accounts from './en/accounts.json'
import app from './en/app.json'
import audit from './en/audit.json'
import automation from './en/automation.json'
import board from './en/board.json'
import cards from './en/cards.json'
import catalogs from './en/catalogs.json'
import chats from './en/chats.json'
import deliveries from './en/deliveries.json'
import developers from './en/developers.json'
import events from './en/events.json'
import fields from './en/fields.json'
import home from './en/home.json'
import imports from './en/import.json'
import incoming from './en/incoming.json'
import integrations from './en/integrations.json'
import lists from './en/lists.json'
import marketing from './en/marketing.json'
import pipelines from './en/pipelines.json'
import records from './en/records.json'
import reference from './en/reference.json'
import search from './en/search.json'
import tasks from './en/tasks.json'
import timeline from './en/timeline.json'
import traces from './en/traces.json'
import webhooks from './en/webhooks.json'
import type { TextsOfTables } from './texts-of-tables.ts'

/** All English texts, one file per page. */
export default {
  ...accounts,
  ...app,
  ...audit,
  ...automation,
  ...board,
  ...cards,
  ...catalogs,
  ...chats,
  ...deliveries,
  ...developers,
  ...events,
  ...fields,
  ...home,
  ...imports,
  ...incoming,
  ...integrations,
  ...lists,
  ...marketing,
  ...pipelines,
  ...records,
  ...reference,
  ...search,
  ...tasks,
  ...timeline,
  ...traces,
  ...webhooks,
} satisfies Omit<TextsOfTables, 'signatures'>
