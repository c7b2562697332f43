"""Pets by FastAPI, which makes its OpenAPI file of this code; arguments move limits: name=41.

Prints the port it listens on.
"""

import enum
import itertools
import socket
import sys
from typing import List, Optional

import uvicorn
from fastapi import FastAPI, Path, Query, Response
from pydantic import BaseModel, Field, conint, constr

limits = {"name": 40, "age": 30, "weight": 0.5, "tags": 5, "tag": 10, "page": 1, "id": 1}
limits |= {name: float(value) for name, _, value in (one.partition("=") for one in sys.argv[1:])}


class Kind(str, enum.Enum):
    cat = "cat"
    dog = "dog"


class New(BaseModel):
    name: str = Field(min_length=2, max_length=int(limits["name"]))
    kind: Kind
    # What is not strict takes 1.5, though the file says integer.
    age: Optional[conint(strict=True, ge=0, le=limits["age"])] = None
    weight: Optional[float] = Field(None, gt=0, le=limits["weight"])
    tags: Optional[
        List[constr(regex="^[a-z0-9]+$", max_length=int(limits["tag"]))]
    ] = Field(None, max_items=int(limits["tags"]))

    class Config:
        extra = "forbid"


class Pet(New):
    id: int


app = FastAPI(title="Pets", version="1")
pets = {}
# Of one that is gone no other has the id: who removes it once more would remove another.
ids = itertools.count(100)
# The file does not say that a field may be null.
shown = {"response_model": Pet, "response_model_exclude_none": True}


@app.post("/pets", operation_id="createPet", status_code=201, **shown)
def create_pet(new: New):
    pet = Pet(id=next(ids), **new.dict())
    pets[pet.id] = pet
    return pet


@app.get("/pets", operation_id="listPets", response_model=List[str])
def list_pets(
    limit: int = Query(20, ge=1, le=100),
    page: int = Query(1, ge=int(limits["page"])),
    sort: Kind = Kind.cat,
):
    return [pet.name for pet in pets.values()][:limit]


@app.get("/pets/{pet_id}", operation_id="getPet", **shown)
def get_pet(pet_id: int = Path(ge=int(limits["id"]))):
    return pets[pet_id] if pet_id in pets else Response("null", 404)


@app.delete("/pets/{pet_id}", operation_id="deletePet", status_code=204)
def delete_pet(pet_id: int = Path(ge=1)):
    pets.pop(pet_id, None)
    return Response(status_code=204)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run([listener])
