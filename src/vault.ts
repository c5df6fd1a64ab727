import { Refusal } from './errors.ts'
import type { MasterKeys } from './master-keys.ts'
import { deriveKey, seal, unseal } from './secrets.ts'

/**
 * Encrypts the secrets that must be shown again (A11) with a master key that is never in the database. Every
 * purpose has its own key. While the master key is changed, the vault opens values of two keys (S30), and the database says
 * which of them is in use.
 */
export interface Vault {
  /** Encrypts with the key in use. A value that is stored is sealed by `sealStored` (db/master-key.ts). */
  seal(place: string, text: string): Buffer
  /** Throws Refusal('unavailable') if no known key opens the value. */
  unseal(place: string, sealed: Buffer): string
  /** A key of this server for a purpose, constant until the master key changes. */
  key(purpose: string): Buffer
  /** Those of all known master keys, the one in use first, to verify what an earlier one signed. */
  keys(purpose: string): Buffer[]
  /** A key that stays the same when the master key changes. */
  lasting(purpose: LastingPurpose): Buffer
  /** Takes the key that opens this value of the database into use; false if no known key opens it. */
  follow(check: string): boolean
  /** The state of the key in use, as stored in the database. */
  readonly state: KeyState
  /** The value for the database that takes a key into use: MASTER_KEY, or the one in use. */
  checkOf(which: 'newest' | 'used', state: KeyState): string
  /** Whether the key in use is MASTER_KEY, and not the previous one. */
  readonly usesNewest: boolean
  /** Whether there is a previous key. */
  readonly hasPrevious: boolean
  /** Whether values can remain that only a key opens which is not known. */
  readonly lacksKey: boolean
  /** The name of the key in use, which does not reveal it. */
  readonly usedKey: string
  /** Encrypts a stored value again with the key in use; null if that is done already. Throws if no known key opens it. */
  reseal(place: string, sealed: Buffer): Buffer | null
  /** Reads the master keys again. */
  reread(): void
}

/** Handles are names of integrations that clients store, and no secrets. */
type LastingPurpose = 'integration handles'

export interface KeyState {
  /** Lasting keys in base64, since the first change of the master key. */
  lasting: Partial<Record<LastingPurpose, string>>
  /** The name of the key before, while values of it can remain. */
  changing_from: string | null
}

interface RingKey {
  name: string
  master: Buffer
  stored: Buffer
}

const PLACE = 'master_key_check'
const UNCHANGED: KeyState = { lasting: {}, changing_from: null }
const purposeOf = (purpose: string): string => `patchbay ${purpose}`

/** `read` returns the present keys, and is called again when a value opens with none: key files can have changed. */
export function openVault(keys: MasterKeys, read: () => MasterKeys = () => keys): Vault {
  let ring = ringOf(keys)
  let used = ring[0] as RingKey
  let state = UNCHANGED
  let followed: string | undefined

  const reread = (): void => {
    try {
      const now = ringOf(read())
      ring = [...now, ...ring.filter((known) => !now.some((one) => isSame(one, known)))]
      used = ring.find((one) => isSame(one, used)) ?? used
    } catch {
      // A file that is missing or incomplete now does not take away the keys that are known.
    }
  }
  const known = (): RingKey[] => [used, ...ring.filter((one) => one !== used)]
  const opened = (place: string, sealed: Buffer): { by: RingKey; text: string } | null => {
    for (const by of known()) {
      const text = textOf(by, place, sealed)
      if (text !== null) return { by, text }
    }
    return null
  }
  const openedAfterAll = (place: string, sealed: Buffer) => {
    const found = opened(place, sealed)
    if (found) return found
    reread()
    return opened(place, sealed)
  }
  const found = (place: string, sealed: Buffer) => {
    const one = openedAfterAll(place, sealed)
    if (!one) throw lacksMasterKey(new Error(`No known master key opens the stored secret ${place}.`))
    return one
  }
  return {
    seal: (place, text) => seal(used.stored, place, text),
    unseal: (place, sealed) => found(place, sealed).text,
    key: (purpose) => deriveKey(used.master, purposeOf(purpose)),
    keys: (purpose) => known().map(({ master }) => deriveKey(master, purposeOf(purpose))),
    lasting: (purpose) => {
      const kept = state.lasting[purpose]
      return kept === undefined ? deriveKey(used.master, purposeOf(purpose)) : Buffer.from(kept, 'base64')
    },
    follow(check) {
      if (check === followed) return true
      const one = openedAfterAll(PLACE, Buffer.from(check, 'base64'))
      if (!one) return false
      used = one.by
      state = one.text === PLACE ? UNCHANGED : (JSON.parse(one.text) as KeyState)
      followed = check
      return true
    },
    get state() {
      return state
    },
    checkOf: (which, next) => {
      const by = which === 'used' ? used : (ring[0] as RingKey)
      const text = next === UNCHANGED ? PLACE : JSON.stringify(next)
      return seal(by.stored, PLACE, text).toString('base64')
    },
    get usesNewest() {
      return used === ring[0]
    },
    get hasPrevious() {
      return ring.length > 1
    },
    get lacksKey() {
      const { changing_from } = state
      return changing_from !== null && !ring.some(({ name }) => name === changing_from)
    },
    get usedKey() {
      return used.name
    },
    reseal(place, sealed) {
      const { by, text } = found(place, sealed)
      return by === used ? null : seal(used.stored, place, text)
    },
    reread,
  }
}

const MISSING = 'master_key_missing'

/** The cause is for the log: until the server has the key, only its operator can mend this. */
export const lacksMasterKey = (cause: Error): Refusal =>
  new Refusal('unavailable', 'The server does not have the master key of its stored secrets.', {
    code: MISSING,
    retry_after: 60,
    cause,
  })

export const isWithoutKey = (error: unknown): boolean => error instanceof Refusal && error.code === MISSING

function ringOf({ present, previous }: MasterKeys): RingKey[] {
  const masters = previous === null || previous.equals(present) ? [present] : [present, previous]
  return masters.map((master) => ({
    name: deriveKey(master, 'patchbay key name').toString('hex').slice(0, 16),
    master,
    stored: deriveKey(master, 'patchbay stored secrets'),
  }))
}

const isSame = (a: RingKey, b: RingKey): boolean => a.master.equals(b.master)

function textOf({ stored }: RingKey, place: string, sealed: Buffer): string | null {
  try {
    return unseal(stored, place, sealed)
  } catch {
    return null
  }
}
