import { describe, expect, test } from 'vitest'
import { recordAudit } from '../src/accounts/accounts.ts'
import { pack } from '../src/request-log/packing.ts'
import { insertBatches } from '../src/request-log/queries.ts'
import { requestLogOf } from '../src/request-log/request-log.ts'
import { randomToken } from '../src/secrets.ts'
import { lastWrite, leakedSecrets, Secrets } from './secrets.ts'
import { world } from './world.ts'

// Only the embedded database is searched, see `world.ts`.
describe.runIf(process.env.TEST_DATABASE === 'sqlite')('Secrets at rest', () => {
  test.each(['text', 'base64', 'hex'] as const)(
    'the search at the end of every test finds a secret that was stored as %s',
    async (spelling) => {
      const { ctx, account, folder } = await world()
      const everywhere = { backup: true, since: lastWrite(folder) }
      // Not a secret of this world, because its own search would find it, too.
      const token = randomToken('pbr_')
      const secrets = new Secrets()
      secrets.see(JSON.stringify({ token }))
      expect(await leakedSecrets(ctx, secrets, '', folder, everywhere)).toEqual([])
      const written = spelling === 'text' ? token : Buffer.from(token).toString(spelling)
      expect(await leakedSecrets(ctx, secrets, `{"token":"${written}"}`, folder, everywhere)).toEqual([
        `in the log: ${token}`,
      ])
      const draft = {
        account_id: account.id,
        user_id: 0,
        action: 'account.changed' as const,
        details: { name: written },
        request_id: '',
      }
      await ctx.db.transaction().execute((tx) => recordAudit(ctx, tx, draft))
      const heads = pack(Buffer.from(written))
      const batch = { account_id: account.id, count: 1, at: 0, heads, messages: pack(Buffer.alloc(0)) }
      await insertBatches(requestLogOf(ctx).store, [batch])
      const leaked = await leakedSecrets(ctx, secrets, '', folder, everywhere)
      expect(leaked).toEqual([
        `in the request log: ${token}`,
        `in the backup: ${token}`,
        `in patchbay.db-wal: ${token}`,
      ])
    },
  )
})
