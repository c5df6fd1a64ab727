import { EventEmitter } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { endBySignals } from './first-process.ts'

function program(pid: number) {
  const signals = new EventEmitter()
  const exit = vi.fn()
  endBySignals(Object.assign(signals, { pid, exit }) as unknown as NodeJS.Process)
  return { signals, exit }
}

describe('The first process of a container', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('is ended by %s', (signal, code) => {
    const { signals, exit } = program(1)
    signals.emit(signal)
    expect(exit).toHaveBeenCalledExactlyOnceWith(code)
  })

  test('is not ended by a signal to which a running server listens', () => {
    const { signals, exit } = program(1)
    const stop = vi.fn()
    signals.on('SIGTERM', stop)
    signals.emit('SIGTERM')
    expect(stop).toHaveBeenCalledOnce()
    expect(exit).not.toHaveBeenCalled()
  })
})

test('Other processes are left to the system', () => {
  const { signals } = program(7)
  expect(signals.eventNames()).toEqual([])
})
