import type { Migration } from './migration.ts'

/**
 * The integration that acted, beside each person whose rights it used. It is a small number, because most events have
 * one: a client id would make an event and its index entry a third larger. The log has a partial index, because people
 * make the other events.
 */
export const actingIntegrations: Migration = {
  name: '033-acting-integrations',
  counted: [],
  statements: [
    `alter table integrations add column number bigint`,
    `update integrations set number = ranked.number
      from (select id, row_number() over (order by created_at, id) as number from integrations) as ranked
      where ranked.id = integrations.id`,
    `create unique index integrations_by_number on integrations (number)`,

    `alter table events add column created_by_integration bigint`,

    ...['entities', 'tasks', 'notes'].flatMap((table) => [
      `alter table ${table} add column created_by_integration bigint`,
      `alter table ${table} add column updated_by_integration bigint`,
    ]),
    `alter table chat_messages add column by_integration bigint`,
    `alter table jobs add column created_by_integration bigint`,
    `alter table jobs add column run_by_integration bigint`,

    // The integration of a channel, so that a push needs no further query.
    `alter table channels add column integration_number bigint`,
    `update channels set integration_number =
      (select number from integrations where integrations.id = channels.integration_id)`,

    // Until now, integration_id was the subject of some entries and the author of the others.
    `alter table audit_log add column by_integration bigint`,
    `update audit_log set by_integration =
      (select number from integrations where integrations.id = audit_log.integration_id)
      where integration_id is not null and action not like 'integration.%' and action not in
        ('long_lived_token.issued', 'tokens.revoked', 'refresh_token.reused', 'code.replayed')`,
  ],
  indexes: [
    `create index events_by_integration on events (account_id, created_by_integration, id, type)
      where created_by_integration is not null`,
    `create index audit_log_by_actor on audit_log (account_id, by_integration, id) where by_integration is not null`,
  ],
}
