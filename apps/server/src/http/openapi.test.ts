import { contract, type Endpoint } from '@ensaio/domain'
import { expect, test } from 'vitest'
import { openApiDocument } from './openapi.ts'

test('every endpoint of the contract stands in the OpenAPI document, with its input and output', () => {
  const document = JSON.parse(JSON.stringify(openApiDocument('http://localhost:3000')))
  for (const [operationId, endpoint] of Object.entries<Endpoint>(contract)) {
    const operation = document.paths[endpoint.path.replace(/:(\w+)/g, '{$1}')][endpoint.method.toLowerCase()]
    expect(operation.operationId).toBe(operationId)
    if (endpoint.output)
      expect(operation.responses[endpoint.status].content['application/json'].schema).not.toEqual({})
    if (endpoint.body) expect(operation.requestBody.content['application/json'].schema).not.toEqual({})
  }
  const login = document.paths['/api/auth/login'].post.requestBody.content['application/json'].schema
  expect(Object.keys(login.properties)).toEqual(['email', 'password'])
})
