import type { Migration } from './migration.ts'

/** The setting `manner` of a channel is called `protocol`, also where the audit log names it as changed. */
export const channelProtocol: Migration = {
  name: '020-channel-protocol',
  counted: [],
  statements: [
    `alter table channels rename column manner to protocol`,
    `update audit_log set details = replace(details, '"manner"', '"protocol"') where action = 'channel.changed'`,
  ],
}
