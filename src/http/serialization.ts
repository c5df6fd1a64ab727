import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

const compile = SerializerSelector()({}, {})

/** Writers of answers, by the schema they write: the routes of v4 are mounted twice, and have them in common. */
const writers = new WeakMap<object, (answer: unknown) => string>()

/**
 * Compiles a route's answer when it is first given, not at the start: a server has hundreds of routes, and a process
 * that runs one command or one test uses few.
 */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = (route) => (answer) => {
  let write = writers.get(route.schema)
  if (!write) {
    write = compile({ ...route, httpStatus: route.httpStatus ?? 'default' })
    writers.set(route.schema, write)
  }
  return write(answer)
}
