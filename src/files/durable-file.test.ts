import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/programs/temporary-folder.ts'
import { writeDurably } from './durable-file.ts'

describe('A durable file', () => {
  test('is complete, readable only by its owner and in new folders, and leaves no temporary file', () => {
    const folder = join(temporaryFolder(), 'a', 'b')
    const file = join(folder, 'demo.json')
    writeDurably(file, 'one')
    writeDurably(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['demo.json'])
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('is not replaced in exclusive mode', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'master.key')
    writeDurably(file, 'first', { exclusive: true })
    expect(() => writeDurably(file, 'second', { exclusive: true })).toThrow(/EEXIST/)
    expect(readFileSync(file, 'utf8')).toBe('first')
    expect(readdirSync(folder)).toEqual(['master.key'])
  })
})
