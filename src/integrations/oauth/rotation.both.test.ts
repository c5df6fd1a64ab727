import { describe, expect, test } from 'vitest'
import {
  accountStatus,
  connect,
  type Registered,
  refresh,
  register,
} from '../../../test/fixtures/integrations.ts'
import { times } from '../../../test/long.ts'
import { type Authority, checkRotation, type Pair } from '../../../test/models/rotation-model.ts'
import { type World, world } from '../../../test/world.ts'

const SEED = 20260301

describe('The refresh rule (A6), tested against a model', () => {
  test('the server behaves like the model in every history', async () => {
    const here = await world()
    const shop = await register(here.admin)
    const start = async () => ({ authority: serverAuthority(here, shop), now: here.clock.now() })
    await checkRotation(start, times(30, 150), SEED)
  })

  test.each(
    Object.entries({
      'single use: the first lost answer locks the client out': { parentAccepted: false },
      'fork: the same parent returns a different child each time': { sameChild: false },
      'the parent is still accepted after the child was used': { untilUsed: false },
      'the grandparent is still accepted': { generations: 2 },
      'a repetition after a day returns an expired access token': { renewed: false },
    }),
  )('detects a wrong server (%s)', async (_name, rule) => {
    const start = async () => ({ authority: wrongAuthority({ ...right, ...rule }), now: 0 })
    await expect(checkRotation(start, 500, SEED)).rejects.toThrow()
  })

  test('accepts the control server if no rule is broken', async () => {
    await checkRotation(async () => ({ authority: wrongAuthority(right), now: 0 }), 500, SEED)
  })
})

function serverAuthority({ admin, stranger, clock, signIn }: World, shop: Registered): Authority {
  return {
    first: async () => {
      const browser = await signIn(admin)
      return connect(
        stranger,
        shop,
        (await browser.post('/web/installations', { client_id: shop.client_id })).body.code,
      )
    },
    refresh: async (token) => {
      const answer = await refresh(stranger, shop, token)
      expect([200, 400]).toContain(answer.status)
      return answer.status === 200 ? answer.body : null
    },
    use: async (token) => {
      const status = await accountStatus(stranger, token)
      expect([200, 401]).toContain(status)
      return status === 200
    },
    revoke: async () => {
      const answer = await (await signIn(admin)).post(`/web/installations/${shop.client_id}/disable`)
      expect(answer.status).toBe(204)
    },
    advance: (seconds) => clock.advance(seconds),
  }
}

interface Rule {
  parentAccepted: boolean
  sameChild: boolean
  untilUsed: boolean
  generations: number
  renewed: boolean
}
const right: Rule = {
  parentAccepted: true,
  sameChild: true,
  untilUsed: true,
  generations: 1,
  renewed: true,
}

interface OwnPair extends Pair {
  used: boolean
  from: number
  access_from: number
}

/** An implementation of the rule in memory in which one rule can be broken. */
function wrongAuthority(rule: Rule): Authority {
  const pairs: OwnPair[] = []
  let now = 0
  let revoked = false
  const mint = (): OwnPair => {
    const n = pairs.length
    return {
      access_token: `a${n}-${Math.random()}`,
      refresh_token: `r${n}-${Math.random()}`,
      used: false,
      from: now,
      access_from: now,
    }
  }
  const alive = (from: number) => {
    const end = new Date(from * 1000)
    const month = end.getUTCMonth() + 3
    const last = new Date(Date.UTC(end.getUTCFullYear(), month + 1, 0)).getUTCDate()
    return (
      now <
      Date.UTC(
        end.getUTCFullYear(),
        month,
        Math.min(end.getUTCDate(), last),
        0,
        0,
        (end.getTime() / 1000) % 86_400,
      ) /
        1000
    )
  }
  return {
    first: async () => {
      pairs.push(mint())
      return pairs[0] as Pair
    },
    refresh: async (token) => {
      const n = pairs.findIndex(({ refresh_token }) => refresh_token === token)
      const pair = pairs[n]
      if (!pair || revoked || !alive(pair.from)) return null
      const behind = pairs.length - 1 - n
      if (behind === 0) {
        pair.used = true
        pairs.push(mint())
        return pairs.at(-1) as Pair
      }
      if (!rule.parentAccepted || behind > rule.generations) return null
      if (rule.untilUsed && pairs.at(-1)?.used) return null
      if (!rule.sameChild) pairs[n + 1] = mint()
      const child = pairs[n + 1] as OwnPair
      if (rule.renewed && now >= child.access_from + 86_400) {
        child.access_token = `a${n + 1}-${Math.random()}`
        child.access_from = now
      }
      return { ...child }
    },
    use: async (token) => {
      const pair = pairs.find(({ access_token }) => access_token === token)
      if (!pair || revoked || now >= pair.access_from + 86_400) return false
      pair.used = true
      return true
    },
    revoke: async () => {
      revoked = true
    },
    advance: (seconds) => {
      now += seconds
    },
  }
}
