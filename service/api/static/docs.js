"use strict";
SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null, // the default would show the description to somebody else
  persistAuthorization: false,
  displayOperationId: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
});
