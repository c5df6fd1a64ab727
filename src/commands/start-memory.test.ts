import { EventEmitter } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { releaseStartMemory } from './start-memory.ts'

test('memory is returned once, when no request has arrived for two seconds', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const server = new EventEmitter()
  const collect = vi.fn()
  releaseStartMemory(server, collect)
  for (let n = 0; n < 5; n++) {
    vi.advanceTimersByTime(1_900)
    server.emit('request')
  }
  expect(collect).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  server.emit('request')
  vi.advanceTimersByTime(60_000)
  expect(collect).toHaveBeenCalledOnce()
  expect(server.listenerCount('request')).toBe(0)
})
