/** The `samples.yaml` that a person fills in: all of it is a comment at first. */
export const samplesFile = `\
# What the document does not say: which things are there, who may ask, how a thing is made.
# It is yours: importing again leaves it alone. \${NAME} comes from the environment.

# Values of parameters, by name, in all operations; a credential that is in a query, too.
parameters: {}
#  petId: 17
#  api_key: \${API_KEY}

# Each is a credential that is valid and not for all, as it stands in its header, with the scopes it
# has: it is shown to operations that ask for others. A text alone is one without any.
identities: {}
#  limited: { header: "Bearer \${READ_ONLY_TOKEN}", scopes: [pets.read] }
#  other: Bearer \${TOKEN_WITHOUT_SCOPES}

# By the name of an operation, which is that of its folder.
operations: {}
#  create-pet:
#    set: { body.name: Rex }             # values of its valid request, by place
#    fresh: [body.name]                  # made anew for each request
#    remove: DELETE /pets/{id}           # sent after each that was taken; {id} is of its answer
#  get-pet:
#    make: { by: create-pet, take: { path.petId: id } }
#  delete-everything:
#    skip: what it deletes is needed     # never asked
`
