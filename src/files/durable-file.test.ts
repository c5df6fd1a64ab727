import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratch } from '../../test/scratch.ts'
import { writeDurably } from './durable-file.ts'

describe('A file that the next start relies on', () => {
  test('is written whole, for its owner alone, in folders made for it, and leaves no draft', () => {
    const folder = join(mkdtempSync(join(scratch, 'durable-')), 'a', 'b')
    const file = join(folder, 'demo.json')
    writeDurably(file, 'one')
    writeDurably(file, 'two')
    expect(readFileSync(file, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['demo.json'])
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700])
  })

  test('is not replaced where only the first writer may win', () => {
    const folder = mkdtempSync(join(scratch, 'durable-'))
    const file = join(folder, 'master.key')
    writeDurably(file, 'first', { exclusive: true })
    expect(() => writeDurably(file, 'second', { exclusive: true })).toThrow(/EEXIST/)
    expect(readFileSync(file, 'utf8')).toBe('first')
    expect(readdirSync(folder)).toEqual(['master.key'])
  })
})
