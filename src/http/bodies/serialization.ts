import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySerializerCompiler } from 'fastify'
import type { TSchema } from 'typebox'

const compile = SerializerSelector()({}, {})

/** Compiled serializers by schema. The v4 routes are mounted twice and share them. */
const writers = new WeakMap<object, (answer: unknown) => string>()

/**
 * Compiles the serializer of an answer at its first use. A server has hundreds of routes, but a command or test uses
 * few.
 */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = (route) => (answer) => {
  let write = writers.get(route.schema)
  if (!write) {
    write = compile({ ...route, httpStatus: route.httpStatus ?? 'default' })
    writers.set(route.schema, write)
  }
  return write(answer)
}
